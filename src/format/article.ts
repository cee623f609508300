/** A record, or the introduction of a list, as labelled texts for HTML or Markdown; all texts are sanitised. */
export type Article = {
  title: string;
  url: string | null;
  facts: Fact[];
  /** Texts under a heading, without one if `label` is empty. HTML highlights `marks` (UTF-16 offsets), with notes. */
  paragraphs: { label: string; text: string; marks?: { start: number; end: number; note: string }[] }[];
  /** Lists under a heading; `total` is the number of entries if `lines` has only the first of them. */
  sections: { label: string; lines: string[]; total?: number }[];
};

/** A line such as `Born: 1970`. */
export type Fact = { label: string; value: string };
