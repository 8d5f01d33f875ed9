"""`python -m tests.docs`: writes all that the docs and the READMEs take from the program."""

from tests import task_pages
from tests.docs import codes, pages, picture

codes.write()
pages.rewrite()
pages.translate()
task_pages.main([])
picture.take()
