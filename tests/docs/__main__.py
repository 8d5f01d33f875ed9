"""`python -m tests.docs`: writes all that the docs and the READMEs take from the program."""

from tests import task_pages
from tests.docs import codes, layer_table, pages, picture
from tests.test_readme import demo_output, rewrite_demo

codes.write()
layer_table.write()
rewrite_demo(demo_output())
pages.rewrite()
pages.translate()
task_pages.main([])
picture.take()
