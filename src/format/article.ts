/** A record, or what precedes the rows of a list, prepared for display; all texts are sanitised. */
export type Article = {
  title: string;
  url: string | null;
  facts: Fact[];
  /** Texts under a label; the text itself if that is empty. A page marks passages (UTF-16 units). */
  paragraphs: { label: string; text: string; marks?: { start: number; end: number; note: string }[] }[];
  /** Lists, of which `lines` may be the first; `total` is the number of all entries. */
  sections: { label: string; lines: string[]; total?: number }[];
};

export type Fact = { label: string; value: string };
