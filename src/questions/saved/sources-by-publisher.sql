-- en: Who published the sources, and how many records cite them
-- fr: Qui a publié les sources, et combien d’enregistrements les citent
WITH cited AS (
  SELECT source_id, key FROM record_sources UNION ALL SELECT source_id, key FROM other_record_sources
)
SELECT sources.publisher, count(DISTINCT sources.id) AS sources, count(cited.key) AS citations
FROM sources LEFT JOIN cited ON cited.source_id = sources.id GROUP BY 1 ORDER BY citations DESC, 1
