import type { Phrase, ShownText } from '../../words/speech.ts';

/** Kinds to which suggestions can be limited. */
export type SuggestedKind = 'politician' | 'party' | 'department';

/** Values and labels of a select; the empty value means no filter. */
export type Choices = readonly (readonly [value: string, text: ShownText])[];

/** A field of a filter form: parameter, label and input type. */
export type FilterField = {
  name: string;
  label: ShownText;
  options?: Choices;
  type?: 'search' | 'text' | 'date' | 'number';
  /** Kind of records that a script suggests while the user types. */
  completes?: SuggestedKind | 'all';
  hint?: Phrase;
  /** Value if the address has none; such a field is no filter that can be removed. */
  preset?: string;
  maxLength?: number;
  /** Returns a value that is no option for people; as typed by default. `nameOf` names slugs of the mirror. */
  describe?(value: string, nameOf: (kind: 'politician' | 'party', slug: string) => string | null): ShownText;
  /** Absent if the form draws the control; `page` if the page adds its own, `hidden` if the value is only kept. */
  control?: 'page' | 'hidden';
};
