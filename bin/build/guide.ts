import { readFileSync, writeFileSync } from 'node:fs';
import markdownIt from 'markdown-it';

type GuideEntry = { name: string; en: string; fr: string };

const markdown = markdownIt({ html: false });
const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
markdown.renderer.rules.heading_open = (tokens, at) =>
  `<${tokens[at]!.tag} id="on-${slugOf(tokens[at + 1]!.content)}">`;
// Wide tables and code blocks scroll on their own; `tabindex` lets the keyboard scroll them.
markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';
markdown.renderer.rules.th_open = () => '<th scope="col">';
// The npm package does not include the documents’ images.
markdown.renderer.rules.image = () => '';

/** The HTML of a Markdown page without its first line (the title); links between documents lead to `/guide`. */
function renderPage(path: string): string {
  const [, ...lines] = readFileSync(path, 'utf8')
    .replaceAll(/<!--.*-->\n?/g, '\n')
    .split('\n');
  const text = lines
    .join('\n')
    .replaceAll(/\]\((?:[\w./]+\/)?([\w-]+)\.md(?:#([^)]*))?\)/g, (_, name, heading) =>
      heading === undefined ? `](/guide/${name})` : `](/guide/${name}#on-${heading})`,
    );
  // Remove empty table heads, header cells without text, and the empty paragraphs of omitted images.
  return markdown
    .render(text)
    .replaceAll(/<thead>\s*<tr>\s*(?:<th scope="col"><\/th>\s*)+<\/tr>\s*<\/thead>\s*/g, '')
    .replaceAll('<th scope="col"></th>', '<td></td>')
    .replaceAll('<p></p>\n', '')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

// Writes guide.json: the pages of the guide by section, in both languages, for `serve` and `site`.
const sections = JSON.parse(readFileSync('docs/guide.json', 'utf8')) as (GuideEntry & { pages: GuideEntry[] })[];
const guide = sections.map(({ name: section, en, fr, pages }) => ({
  en,
  fr,
  pages: pages.map(({ name, en, fr }) => {
    const bodyIn = (language: string) =>
      renderPage(`docs/${section === 'reference' ? 'reference/' : ''}${language}/${name}.md`);
    return { name, en: { title: en, body: bodyIn('en') }, fr: { title: fr, body: bodyIn('fr') } };
  }),
}));

writeFileSync('src/server/pages/guide.json', JSON.stringify(guide));
