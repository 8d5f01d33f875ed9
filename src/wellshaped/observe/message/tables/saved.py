"""What loading weights and the state of an optimizer says."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "saved_shape",
        "size mismatch for {name:word}: copying a param with shape {got:shape} from"
        " checkpoint, the shape in current model is {wants:shape}",
    ),
    Pattern(
        "saved_names",
        "Missing key(s) in state_dict: {missing:names}. Unexpected key(s) in state_dict:"
        " {extra:names}",
        "Unexpected key(s): {extra:single}. Missing key(s): {missing:single}",
    ),
    Pattern(
        "saved_missing",
        "Missing key(s) in state_dict: {missing:names}",
    ),
    Pattern(
        "saved_extra",
        "Unexpected key(s) in state_dict: {extra:names}",
    ),
    Pattern(
        "saved_groups",
        "loaded state dict contains a parameter group that doesn't match the size of"
        " optimizer's group",
        "loaded state dict has a different number of parameter groups",
    ),
)
