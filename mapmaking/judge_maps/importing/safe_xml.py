"""Reading of XML without entities, external references and other files."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from judge_maps.importing.draft import ImportFault

MAX_DEPTH = 200
MAX_ELEMENTS = 200_000


def parse_xml(octets: bytes, name: str) -> Element:
    """Return the root of an XML file.

    Raises:
        ImportFault: it is no XML, has entities or external references, or is too deep or large.
    """
    try:
        root: Element = fromstring(octets)
    except DefusedXmlException as fault:
        kind = type(fault).__name__.removesuffix("Forbidden")
        raise ImportFault(f"{name}: {kind} of a DTD are not read") from fault
    except (ParseError, ValueError, LookupError, RecursionError) as fault:
        raise ImportFault(f"{name}: no XML: {fault}") from fault
    pending, count = [(root, 1)], 0
    while pending:
        element, depth = pending.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_ELEMENTS:
            raise ImportFault(f"{name}: more than {MAX_ELEMENTS} elements or {MAX_DEPTH} levels")
        pending.extend((child, depth + 1) for child in element)
    return root


def tag_of(element: Element) -> str:
    """Return the tag of an element without its namespace, in small letters."""
    return str(element.tag).rpartition("}")[2].lower()


def children(element: Element, tag: str) -> Iterator[Element]:
    """Yield the elements below an element that have a tag."""
    return (found for found in element.iter() if tag_of(found) == tag)
