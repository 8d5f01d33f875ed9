"""The made-up reviews: their true reward, and preferences that follow it."""

from wellshaped.train.data import reviews


def test_quality_counts_adjectives_and_not_words():
    assert reviews.quality("the soup was warm and the view seemed lovely .") == 2
    assert reviews.quality("the soup was warm but the staff felt rude .") == 0
    assert reviews.quality("the the the the the") == 0


def test_the_better_answer_is_chosen():
    rows = reviews.preferences(100, seed=1)
    gaps = [reviews.quality(row["chosen"]) - reviews.quality(row["rejected"]) for row in rows]
    assert min(gaps) > 0


def test_a_part_can_be_the_wrong_way_round():
    rows = reviews.preferences(1000, seed=1, flipped=0.1)
    wrong = sum(reviews.quality(row["chosen"]) < reviews.quality(row["rejected"]) for row in rows)
    assert 70 < wrong < 130


def test_longer_answers_are_not_better():
    rows = reviews.preferences(1000, seed=2)
    longer = sum(len(row["chosen"].split()) > len(row["rejected"].split()) for row in rows)
    shorter = sum(len(row["chosen"].split()) < len(row["rejected"].split()) for row in rows)
    assert abs(longer - shorter) < 100


def test_a_seed_makes_the_same_rows():
    assert reviews.preferences(5, seed=3) == reviews.preferences(5, seed=3)
    assert reviews.preferences(5, seed=3) != reviews.preferences(5, seed=4)
    assert reviews.texts(5, seed=3) == reviews.texts(5, seed=3)
