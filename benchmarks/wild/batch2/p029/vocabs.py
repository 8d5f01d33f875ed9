import string

VOCABS = {
    "digits": string.digits,
    "english": string.digits + string.ascii_letters,
}
VOCABS["french"] = VOCABS["english"] + "àâéèêëîïôùûüç"
