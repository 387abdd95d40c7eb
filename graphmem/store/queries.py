"""Every Cypher statement, made from the Structs' own field names; data only ever comes in as parameters."""

from __future__ import annotations

from graphmem.store.rows import TABLES, columns

GRAPH_SCHEMA = 3
# What may point at the turns that support it.
SUPPORTED = ("Episode", "Entity", "Relation", "Entry", "ProfileVersion")
# What a space holds directly; turns hang on their sessions.
HELD = ("Session", *SUPPORTED, "Dispute")

SCHEMA = (
    "CREATE NODE TABLE Meta(id INT64 PRIMARY KEY, schema INT64, applied INT64)",
    "CREATE NODE TABLE Space(id STRING PRIMARY KEY)",
    *(
        f"CREATE NODE TABLE {table}({', '.join(f'`{name}` {type}' for name, type in columns(cls).items())}, "
        "deleted_at TIMESTAMP, PRIMARY KEY(id))"
        for table, cls in TABLES.items()
    ),
    "CREATE REL TABLE PART_OF(FROM Turn TO Session)",
    f"CREATE REL TABLE HOLDS({', '.join(f'FROM Space TO {table}' for table in HELD)})",
    f"CREATE REL TABLE EVIDENCE({', '.join(f'FROM {table} TO Turn' for table in SUPPORTED)})",
    "CREATE REL TABLE RELATES(FROM Entity TO Entity, relation STRING, predicate STRING)",
    f"CREATE (:Meta {{id: 0, schema: {GRAPH_SCHEMA}, applied: 0}})",
)

# Write
STAMP = "MATCH (m:Meta {id: 0}) SET m.applied = $applied"
ADD_SPACE = "MERGE (:Space {id: $id})"
CREATE = {
    table: f"CREATE (:{table} {{{', '.join(f'`{name}`: ${name}' for name in columns(cls))}}})"
    for table, cls in TABLES.items()
}
SET = {
    table: {name: f"MATCH (n:{table} {{id: $id}}) SET n.`{name}` = $value" for name in columns(cls) if name != "id"}
    for table, cls in TABLES.items()
}
RESTORE = {table: f"MATCH (n:{table} {{id: $id}}) SET n.deleted_at = NULL" for table in TABLES}
DELETE = {table: f"MATCH (n:{table} {{id: $id}}) WHERE n.deleted_at IS NULL SET n.deleted_at = $at" for table in TABLES}
ADD_PART_OF = "MATCH (a:Turn {id: $a}), (b:Session {id: $b}) CREATE (a)-[:PART_OF]->(b)"
ADD_HOLDS = {table: f"MATCH (a:Space {{id: $a}}), (b:{table} {{id: $b}}) CREATE (a)-[:HOLDS]->(b)" for table in HELD}
ADD_EVIDENCE = {
    table: f"MATCH (a:{table} {{id: $a}}), (b:Turn {{id: $b}}) CREATE (a)-[:EVIDENCE]->(b)" for table in SUPPORTED
}
ADD_RELATES = "MATCH (a:Entity {id: $a}), (b:Entity {id: $b}) CREATE (a)-[:RELATES {relation: $relation, predicate: $predicate}]->(b)"
DROP_EVIDENCE = {
    table: f"MATCH (:{table} {{id: $id}})-[r:EVIDENCE]->(:Turn {{id: $turn}}) DELETE r" for table in SUPPORTED
}
DROP_RELATES = "MATCH (:Entity {id: $id})-[r:RELATES]->(:Entity) WHERE r.relation = $relation DELETE r"
COPY_SPACES = "COPY Space FROM $rows"
COPY_SESSIONS = "COPY Session FROM $rows"
COPY_TURNS = "COPY Turn FROM $rows"
COPY_PART_OF = "COPY PART_OF FROM $rows"
COPY_HOLDS = "COPY HOLDS FROM $rows (from='Space', to='Session')"

# Read
META = "MATCH (m:Meta {id: 0}) RETURN m.schema, m.applied"
HAS_SPACE = "MATCH (s:Space {id: $id}) RETURN s.id"
GET = {
    table: f"MATCH (n:{table} {{id: $id}}) RETURN n.deleted_at, {', '.join(f'n.`{name}`' for name in columns(cls))}"
    for table, cls in TABLES.items()
}
OF_SPACE = {
    table: f"MATCH (:Space {{id: $space}})-[:HOLDS]->(n:{table}) WHERE n.deleted_at IS NULL "
    f"RETURN {', '.join(f'n.`{name}`' for name in columns(TABLES[table]))} ORDER BY n.id"
    for table in HELD
}
SESSIONS_OF_SPACE = (
    "MATCH (:Space {id: $space})-[:HOLDS]->(n:Session) WHERE n.deleted_at IS NULL "
    f"RETURN {', '.join(f'n.`{name}`' for name in columns(TABLES['Session']))} ORDER BY n.started_at, n.id"
)
TURNS_OF_SESSION = (
    "MATCH (n:Turn)-[:PART_OF]->(:Session {id: $session}) WHERE n.deleted_at IS NULL AND n.space = $space "
    f"RETURN {', '.join(f'n.`{name}`' for name in columns(TABLES['Turn']))} ORDER BY n.id"
)
NEIGHBOURS_OF_ENTITY = "MATCH (:Entity {id: $id})-[r:RELATES]-(n:Entity) WHERE n.space = $space AND n.deleted_at IS NULL RETURN DISTINCT n.id ORDER BY n.id"

# Count, for a look at the whole
COUNT = {table: f"MATCH (n:{table}) RETURN count(*)" for table in TABLES}
COUNT_EDGES = {
    "PART_OF": ("MATCH (:Turn)-[r:PART_OF]->(:Session) RETURN count(*)",),
    "HOLDS": tuple(f"MATCH (:Space)-[r:HOLDS]->(:{table}) RETURN count(*)" for table in HELD),
    # those of deleted items stay; profiles name no turns
    "EVIDENCE": tuple(
        f"MATCH (a:{table})-[r:EVIDENCE]->(:Turn) WHERE a.deleted_at IS NULL RETURN count(*)"
        for table in SUPPORTED
        if table != "ProfileVersion"
    ),
}

# Verify
ALL = {
    table: f"MATCH (n:{table}) RETURN n.deleted_at, {', '.join(f'n.`{name}`' for name in columns(cls))}"
    for table, cls in TABLES.items()
}
ALL_EDGES = {
    "PART_OF": ("MATCH (a:Turn)-[:PART_OF]->(b:Session) RETURN a.id, b.id",),
    "HOLDS": tuple(f"MATCH (a:Space)-[:HOLDS]->(b:{table}) RETURN a.id, b.id" for table in HELD),
    "EVIDENCE": tuple(f"MATCH (a:{table})-[:EVIDENCE]->(b:Turn) RETURN a.id, b.id" for table in SUPPORTED),
    "RELATES": ("MATCH (a:Entity)-[r:RELATES]->(b:Entity) RETURN a.id, b.id, r.relation, r.predicate",),
}
