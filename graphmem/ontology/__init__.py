"""Ontologies: which types of entities there are, which predicates relate them, and how people say so."""

from graphmem.ontology.files import FOLDERS, load, parse
from graphmem.ontology.values import EntityType, Ontology, Part, Pattern, Predicate

__all__ = ["FOLDERS", "EntityType", "Ontology", "Part", "Pattern", "Predicate", "load", "parse"]
