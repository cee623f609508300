import type { Speech } from '../words/speech.ts';

/** A record, or what precedes the rows of a list, prepared for display; all texts are sanitised. */
export type Article = {
  title: string;
  url: string | null;
  facts: Fact[];
  /** Texts under a label; the text itself if that is empty. */
  paragraphs: { label: string; text: string }[];
  sections: { label: string; lines: string[] }[];
  other: Fact[];
};

export type Fact = { label: string; value: string };

/** The text around the rows of a format that people read. */
export type DocumentFormat = {
  /** True for a page: it needs a title, has notes, and lists have the columns of the table, labelled for readers. */
  isPage?: true;
  open(article: Article, speech: Speech): string;
  close(remarks: readonly string[]): string;
};
