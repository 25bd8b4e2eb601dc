"""Web pages: title, date, language, passages, tables and footnotes, and the claims in them."""

from parsing.article.claims import Located, read_claims
from parsing.article.ids import result_ids
from parsing.article.model import Article, Cell, Cited, Grid, Note
from parsing.article.reading import ArticleError, read_article

__all__ = [
    "Article",
    "ArticleError",
    "Cell",
    "Cited",
    "Grid",
    "Located",
    "Note",
    "read_article",
    "read_claims",
    "result_ids",
]
