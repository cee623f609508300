declare module '@citation-js/core' {
  /** Parses a citation of any style that a plugin knows into CSL-JSON. */
  export class Cite {
    constructor(text: string);
    data: unknown[];
  }
}
declare module '@citation-js/plugin-bibtex';
declare module '@citation-js/plugin-ris';
