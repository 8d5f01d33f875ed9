PHRASES = [
    "the red car", "a red car on the left", "the man", "man with the red hat", "the left man",
    "a car", "the hat", "dog on the left", "the dog", "zebra", "man on the right", "right dog",
    "the car on the right", "a man with a dog", "red dog", "left hat", "the right hat", "giraffe",
]
