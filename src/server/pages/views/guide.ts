import { escapeHtml } from '../../../format/html.ts';
import { say, saying } from '../../../words/speech.ts';
import { section } from '../elements.ts';
import sections from '../guide.json' with { type: 'json' };
import { Html, html } from '../html.ts';
import { createPageView, type View } from '../view.ts';

const contentsPage = createPageView(null, {
  path: '/guide',
  title: say`Guide`,
  template({ language, href }) {
    const lists = sections.map(({ pages, ...titles }) => {
      const links = pages.map(
        (page) => html`<li><a href="${href(`/guide/${page.name}`)}">${page[language].title}</a></li>`,
      );
      return section(titles[language], html`<ul class="plain">${links}</ul>`);
    });
    return { body: html`${lists}` };
  },
});

/** The contents page of the guide, and a page for each document of `docs/` in it. */
export const guidePages: readonly View[] = [
  contentsPage,
  ...sections.flatMap(({ pages }) =>
    pages.map((page) =>
      createPageView(null, {
        path: `/guide/${page.name}`,
        title: saying(({ language }) => page[language].title),
        template({ language, href, speech }) {
          // The build made this HTML from our own documents, so it is trusted.
          const body = page[language].body.replace(
            /href="(\/guide\/[^"#]*)/g,
            (_, path: string) => `href="${escapeHtml(href(path))}`,
          );
          const kicker = html`<a href="${href('/guide')}">${speech.say`Guide`}</a>`;
          return { kicker, body: html`<div class="prose guide">${new Html(body)}</div>` };
        },
      }),
    ),
  ),
];
