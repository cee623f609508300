-- en: Votes cast by each group (for, against or abstention), against its members
-- fr: Les votes (pour, contre ou abstention) de chaque groupe, rapportés à ses membres
-- about-en: Left out and counted: ballots that record only votes for, such as motions of censure (one_sided), and those whose source states no members or counts (not_stated). Sources do not tell absent, delegated and unpublished votes apart: this is no rate of presence.
-- about-fr: Écartés et comptés : les scrutins où seuls les votes pour sont enregistrés, comme les motions de censure (one_sided), et ceux dont la source n’indique pas l’effectif ou les décomptes (not_stated). Les sources ne distinguent pas absence, délégation et vote non publié : ce n’est pas un taux de présence.
-- covers: ballot
-- :year integer 2025 | the year | l’année
-- :chamber text AN | AN or Senat | AN ou Senat
WITH listed AS (
  SELECT votes.party, votes.party_name, votes.members, ballots.one_sided,
    votes.votes_for + votes.votes_against + votes.votes_abstention AS cast_votes
  FROM votes JOIN ballots ON ballots.ballot = votes.ballot
  WHERE votes.chamber = :chamber AND votes.date LIKE :year || '-%'
), marked AS (
  SELECT *, NOT one_sided AND coalesce(members, 0) > 0 AND cast_votes IS NOT NULL AS is_counted FROM listed
)
SELECT party, party_name, sum(is_counted) AS ballots, sum(cast_votes) FILTER (WHERE is_counted) AS votes_cast,
  sum(members) FILTER (WHERE is_counted) AS members_summed,
  round(1.0 * sum(cast_votes) FILTER (WHERE is_counted) / sum(members) FILTER (WHERE is_counted), 3) AS share,
  sum(one_sided) AS one_sided, sum(NOT one_sided AND NOT is_counted) AS not_stated
FROM marked GROUP BY party ORDER BY share DESC, party
