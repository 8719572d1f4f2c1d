"""Configuration of Sphinx; bin/site.sh runs it."""

project = "Tandem"
author = "The developers of Tandem"
project_copyright = "The developers of Tandem; Apache License 2.0"
extensions = ["myst_parser", "sphinx_copybutton", "sphinx_design"]
source_suffix = {".md": "markdown"}
# Of the heading's words, as forges do it: the same links work there.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "attrs_block"]
highlight_language = "none"
# Excerpts need not be whole programs. Documents begin where their readers do, not always with a heading 1.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]

html_theme = "furo"
html_title = "Tandem"
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_logo": "icon.svg",
    "dark_logo": "icon.svg",
    "navigation_with_keys": True,
    "top_of_page_buttons": [],
}
# No prompt is copied, nor the output below a command.
copybutton_prompt_text = "$ "
