import { attributionOf, attributionPhrase, odbl, webAddress } from '../../../model/attribution.ts';
import { contents, gaps, type KindContents } from '../../../store/records/contents.ts';
import { type Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { heading, moment, section } from '../parts.ts';
import { plainView } from '../view.ts';

/** Whose data this is, how it may be used and cited, how old it is, and what is missing. */
export const about = plainView({
  name: 'about',
  path: '/about',
  section: 'about',
  render(making) {
    const { speech, citation, filledAt, reading, href, isStatic } = making;
    const title = speech.say`About this copy`;
    const address = webAddress(citation.siteUrl ?? '');
    const name = address === null ? html`${citation.name}` : html`<a href="${address}">${citation.name}</a>`;
    const cited = speech.tell(
      attributionPhrase(attributionOf(citation, { retrievedAt: filledAt, asOf: reading.asOf })),
    );
    const body = html`${heading(title)}<div class="prose">${section(
      speech.say`Whose data this is`,
      html`<p>${speech.say`All records on these pages were published by`} ${name}${speech.say`, a public information service about politicians and parties. This server shows a copy of them; it adds no judgement of its own, and a value that the service does not state is left empty.`}</p>`,
    )}${section(speech.say`Licence`, html`<p>${speech.say`The service states: free for non-commercial use. Whole datasets, and parts chosen from them, are under the`} <a href="${odbl.url}" rel="license">Open Database License (ODbL) 1.0</a>.</p>`)}${section(
      speech.say`How to cite it`,
      html`<p>${speech.say`Name the service, link to it, and say when it was retrieved:`}</p><p class="cite">${cited}</p>${
        isStatic
          ? null
          : html`<p>${speech.say`Each record has a permanent address on this server; with a day behind it, it shows what was known then:`} <code>?as_of=2026-11-01</code></p>`
      }`,
    )}${section(
      speech.say`How old it is`,
      filledAt === null
        ? html`<p>${speech.say`This copy has never been filled.`}</p>`
        : html`<p>${speech.say`Last retrieved on`} ${moment(speech, filledAt)}.</p>`,
    )}</div>${section(speech.say`What it holds, and what is missing`, html`${holdings(making, making.once('contents', contents))}${missing(making)}`)}${section(
      speech.say`More`,
      html`<ul class="plain"><li><a href="${href('/audit')}">${speech.say`Moderation log`}</a></li>${isStatic ? ofFiles(making) : html`<li><a href="/docs">${speech.say`For programs: the interface`}</a></li><li><a href="/redoc">${speech.say`Its reference`}</a></li>`}</ul>`,
    )}${
      isStatic &&
      section(
        speech.say`What these pages cannot do`,
        html`<p>${speech.say`They are files that no program stands behind: lists cannot be filtered, groups cannot be compared over votes that you choose, and no page can be shown as of a day that is past. A copy that is served can do all of that.`}</p>`,
      )
    }`;
    return { title, body };
  },
});

/** Ways on that files alone have. */
function ofFiles({ speech, href }: Making): Html {
  return html`<li><a href="${href('/catalog')}">${speech.say`Data to take away`}</a></li>`;
}

function holdings({ speech }: Making, held: readonly KindContents[]): Html {
  const rows = held.map(
    ({ kind, records, withdrawn, completeness, retrieved_at }) =>
      html`<tr><th scope="row">${speech.word(kind)}</th><td class="number">${speech.number(records)}</td><td class="number">${speech.number(withdrawn)}</td><td>${completeness && speech.word(completeness)}</td><td>${retrieved_at && moment(speech, retrieved_at)}</td></tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${speech.say`What it holds, and what is missing`}"><table class="list"><thead><tr><th scope="col">${speech.say`Kind`}</th><th scope="col" class="number">${speech.say`Records`}</th><th scope="col" class="number">${speech.say`Withdrawn`}</th><th scope="col">${speech.say`How complete`}</th><th scope="col">${speech.say`Retrieved`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Stretches that nobody saw. */
function missing({ mirror, speech }: Making): Html | null {
  const found = gaps(mirror);
  if (found.length === 0) return html`<p>${speech.say`No gap is known.`}</p>`;
  return html`<p>${speech.say`Some entries may have been missed:`}</p><ul>${found.map(
    ({ kind, noticed_at }) =>
      html`<li>${speech.word(kind)}, ${speech.say`noticed on`} ${moment(speech, noticed_at)}</li>`,
  )}</ul>`;
}
