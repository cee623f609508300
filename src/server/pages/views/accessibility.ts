import { type Phrase, say } from '../../../words/speech.ts';
import examination from '../accessibility.json' with { type: 'json' };
import { type Criterion, conformity, conformityPhrase, criteriaByResult, themes } from '../conformity.ts';
import { day, line, outsideLink, type PageColumn, section, table } from '../elements.ts';
import { html } from '../html.ts';
import { createPageView } from '../view.ts';
import { contactOf } from './about.ts';

const resultNames: Record<string, Phrase> = {
  conform: say`met`,
  'not-conform': say`not met`,
  'not-tested': say`not tested`,
  'not-applicable': say`not applicable`,
};

const methods: Record<string, { en: string; fr: string }> = examination.methods;

/** Page `/accessibility`: the accessibility statement by the 106 criteria of RGAA 4.1. */
export const accessibilityPage = createPageView(null, {
  path: '/accessibility',
  title: say`Accessibility`,
  template(page) {
    const { speech, citation, language } = page;
    const metCount = speech.number(criteriaByResult('conform').length);
    const lead = speech.say`This site is ${speech.render(conformityPhrase)} with the French rules for accessibility, RGAA 4.1: ${metCount} of the ${speech.number(conformity.applicable)} criteria that apply are met (${speech.share(conformity.share)}). What was not tested counts as not met.`;
    const counts = Object.entries(resultNames).map(
      ([result, phrase]) => html`<li>${speech.say`${phrase}: ${speech.number(criteriaByResult(result).length)}`}</li>`,
    );
    const criteriaList = (result: string) =>
      html`<ul>${criteriaByResult(result).map(
        ({ id, fails, ...titles }) =>
          html`<li>${fails ? speech.say`${id} ${titles[language]}: ${fails[language]}` : `${id} ${titles[language]}`}</li>\n`,
      )}</ul>`;
    const contact = contactOf(citation) ?? speech.say`The publisher of this copy has not said where to write.`;
    const testMethods = ({ how = [] }: Criterion) => line(...how.map((method) => methods[method]![language]));
    const columns: readonly PageColumn<Criterion>[] = [
      [speech.say`Criterion`, (each) => `${each.id} ${each[language]}`, 'name'],
      [speech.say`Result`, ({ result }) => speech.render(resultNames[result]!)],
      [speech.say`How it was tested`, testMethods],
    ];
    const themeTables = themes.map((theme, at) =>
      section(`${at + 1}. ${theme[language]}`, table(page, theme[language], theme.criteria, columns, 'list criteria')),
    );
    const untested = html`<p>${speech.say`No screen reader was available.`}</p>${criteriaList('not-tested')}`;
    const methodsText = html`<p>${speech.say`The makers of the program examined its pages on`} ${day(speech, examination.examinedOn)}. ${speech.say`They used Chromium, axe-core and an HTML validator, in both languages, light and dark, from 320 to 1,400 pixels wide. Pages are HTML, CSS and SVG; a script suggests names and copies texts, and all else works without it.`}</p>`;
    const complaints = html`<p>${speech.say`Write to the publisher:`} ${contact}</p><p>${speech.say`You got no answer? In France, the Défenseur des droits takes complaints:`} ${outsideLink('https://www.defenseurdesdroits.fr')}</p>`;
    const duties = html`<p>${speech.say`This is the statement of whoever publishes this copy; the program fills in what its makers found. The publisher tests with a screen reader and with the records shown here, and says who they are and where to write.`}</p>`;
    const sections = [
      section(speech.say`Results`, html`<ul>${counts}</ul>`),
      section(speech.say`What is not accessible`, criteriaList('not-conform')),
      section(speech.say`What was not tested`, untested),
      section(speech.say`How it was tested`, methodsText),
      section(speech.say`If something cannot be read or used`, complaints),
      section(speech.say`What the publisher still has to do`, duties),
    ];
    return { lead, body: html`<div class="prose">${sections}</div>${themeTables}` };
  },
});
