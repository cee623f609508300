import type { Ballot } from '../model/ballot.ts';
import { ballotSentence } from '../model/ballot-sentence.ts';
import { isMotionOfCensure } from '../model/heading.ts';
import {
  type GroupFacts,
  type GroupSeats,
  groupLabel,
  groupSeats,
  outcomeVotes,
  type SeatState,
  seatArrangement,
  seatingNote,
  seatStateNames,
  seatStates,
  seatTotals,
} from '../model/seats.ts';
import { clauses, type Speech } from '../words/speech.ts';
import { barHeight, groupBar, legendSeat, seatsPicture } from './seats-svg.ts';
import {
  type Block,
  breakLines,
  colourOf,
  ink,
  innerWidth,
  lightGrey,
  margin,
  mutedInk,
  paper,
  paragraph,
  pictureText,
  round,
  stripes,
  svgText,
  themeForPage,
} from './svg.ts';

/** Input of ballot pictures: facts by group slug, slugs of groups from left to right, attribution, language. */
export type PictureContext = {
  facts: ReadonlyMap<string, GroupFacts>;
  order: readonly string[];
  attribution: string;
  speech: Speech;
};

/** Returns a ballot as an SVG 800 pixels wide: title, seats, result, legend, groups and attribution, downwards. */
export function ballotSvg(ballot: Ballot, context: PictureContext): string {
  const drawing = prepareDrawing(ballot, context);
  let y = margin;
  const parts = blockBuilders.map((block) => {
    const { markup, height } = block(drawing, y);
    y += height;
    return markup;
  });
  return pictureText({ ...titlesOf(drawing), id: drawing.id, defs: patternDefs(drawing), height: y, parts });
}

/** Each returns its block for a drawing and the y coordinate of its top. */
const blockBuilders = [headBlock, seatsBlock, majorityBlock, legendBlock, groupsBlock, footerBlock];

function prepareDrawing(ballot: Ballot, context: PictureContext) {
  const groups = groupSeats(ballot, context.order);
  const id = `ballot-${ballot.chamber}-${ballot.scrutin_id}`.replace(/[^A-Za-z0-9-]+/g, '-');
  const colours = groups.map(({ votes }) => colourOf(context.facts.get(votes.party ?? '')?.colour));
  const arrangement = seatArrangement(ballot, context.order);
  return { ballot, groups, arrangement, colours, id, context, speech: context.speech };
}

type Drawing = ReturnType<typeof prepareDrawing>;

function titlesOf({ ballot, groups, context, speech }: Drawing) {
  const groupText = ({ votes, seats }: GroupSeats) =>
    speech.say`${groupLabel(votes, context.facts)}: ${seatCountsText(seats, ballot, speech)}`;
  const facts = [ballot.chamber, dayText(ballot, speech), ballot.result].filter((part) => part !== null);
  const sentences = [ballotSentence(ballot), clauses(groups.map(groupText))].map((each) => speech.render(each));
  const title = ballot.title ?? `${ballot.chamber} ${ballot.scrutin_id}`;
  return { title, description: [facts.join(', '), ...sentences].join('. ') };
}

/** Returns a group’s counts, such as `for 12, against 3`, without zeros and without votes against a censure. */
export function seatCountsText(seats: Record<SeatState, number>, ballot: Ballot, speech: Speech): string {
  const isShown = (state: SeatState) => seats[state] > 0 && !(state === 'against' && isMotionOfCensure(ballot));
  const shownStates = seatStates.filter(isShown);
  return shownStates.length === 0
    ? speech.say`no counts published`
    : shownStates.map((state) => `${speech.word(seatStateNames[state])} ${seats[state]}`).join(', ');
}

const dayText = ({ date }: Ballot, speech: Speech): string | null => (date === null ? null : speech.day(date));

const emptyBlock: Block = { markup: '', height: 0 };

function headBlock({ ballot, speech }: Drawing, y: number): Block {
  const title = paragraph({ text: ballot.title ?? ballot.scrutin_id, size: 20, weight: 600 }, y);
  const facts = [dayText(ballot, speech), `${ballot.chamber} ${ballot.scrutin_id}`, ballot.result];
  const factText = facts.filter((part) => part !== null).join(' · ');
  const subtitle = paragraph({ text: factText, size: 14, fill: mutedInk }, y + title.height + 4);
  return { markup: `${title.markup}\n${subtitle.markup}`, height: title.height + subtitle.height + 20 };
}

function seatsBlock(drawing: Drawing, y: number): Block {
  const seats = seatsPicture(drawing);
  if (seats === null) return emptyBlock;
  return { markup: `<g transform="translate(0 ${y})">\n${seats.parts.join('\n')}\n</g>`, height: seats.height };
}

/** Returns an SVG of the seats alone in the colours of pages; null if there are none to draw. */
export function seatsSvg(ballot: Ballot, context: PictureContext): string | null {
  const drawing = prepareDrawing(ballot, context);
  const seats = seatsPicture(drawing);
  if (seats === null) return null;
  return themeForPage(pictureText({ ...titlesOf(drawing), id: drawing.id, defs: patternDefs(drawing), ...seats }));
}

/** Definitions of striped patterns for abstentions: one for the legend, one in the colour of each abstaining group. */
function patternDefs({ groups, colours, id }: Drawing): string {
  const patterns = groups.flatMap(({ seats }, at) =>
    seats.abstention > 0 ? [stripes(`${id}-stripes-${at}`, colours[at]!)] : [],
  );
  return patterns.length === 0 ? '' : `${stripes(`${id}-stripes`, mutedInk)}${patterns.join('')}`;
}

function majorityBlock({ ballot, speech }: Drawing, y: number): Block {
  const outcome = outcomeVotes(ballot);
  const requiredVotes = outcome?.required ?? 0;
  const votesFor = outcome?.for ?? 0;
  const votesAgainst = outcome?.against ?? 0;
  const maxVotes = Math.max(votesFor + votesAgainst, requiredVotes);
  if (outcome === null || maxVotes === 0) return emptyBlock;
  const lengthOf = (value: number) => round((value / maxVotes) * innerWidth);
  const tickX = margin + lengthOf(requiredVotes);
  const isInRightHalf = lengthOf(requiredVotes) > innerWidth / 2;
  const requiredText = speech.say`${requiredVotes} required`;
  return {
    markup: [
      `<rect x="${margin}" y="${y}" width="${innerWidth}" height="18" fill="${lightGrey}"/>`,
      `<rect x="${margin}" y="${y}" width="${lengthOf(votesFor)}" height="18" fill="${mutedInk}"/>`,
      ...(votesAgainst > 0
        ? [
            `<rect x="${round(margin + lengthOf(votesFor) + 1)}" y="${y + 1}" width="${round(Math.max(0, lengthOf(votesAgainst) - 2))}" height="16" fill="${paper}" stroke="${mutedInk}" stroke-width="2"/>`,
          ]
        : []),
      `<path d="M${round(tickX)} ${y - 5}V${y + 26}" stroke="${ink}" stroke-width="2"/>`,
      `<text x="${round(isInRightHalf ? tickX - 6 : tickX + 6)}" y="${y + 36}" font-size="13" text-anchor="${isInRightHalf ? 'end' : 'start'}">${svgText(requiredText)}</text>`,
    ].join('\n'),
    height: 54,
  };
}

function legendBlock(drawing: Drawing, y: number): Block {
  const { ballot, groups, id, speech } = drawing;
  const words = paragraph({ text: speech.render(ballotSentence(ballot)), size: 15, weight: 600 }, y);
  const shownStates = seatTotals(groups);
  if (shownStates.length === 0 || isUncounted(drawing)) return { ...words, height: words.height + 12 };
  const rowY = y + words.height + 8;
  let x = margin;
  const legendItems = shownStates.map(({ state, total }) => {
    const style = { radius: 6, colour: mutedInk, state, pattern: `${id}-stripes` };
    const name = `${speech.word(seatStateNames[state])} ${speech.number(total)}`;
    const label = `<text x="${x + 20}" y="${rowY + 12}" font-size="13">${svgText(name)}</text>`;
    x += 36 + name.length * 7.5;
    return legendSeat({ ...style, x: x + 7, y: rowY + 7 }) + label;
  });
  return { markup: `${words.markup}\n${legendItems.join('\n')}`, height: words.height + 36 };
}

/** True for a motion of censure whose groups have no member counts: bars could only show votes for. */
const isUncounted = ({ ballot, arrangement }: Drawing) => isMotionOfCensure(ballot) && arrangement === null;

function groupsBlock(drawing: Drawing, y: number): Block {
  const { ballot, groups, arrangement, colours, context, speech } = drawing;
  const hasBars = arrangement !== 'group' && !isUncounted(drawing);
  const rowHeight = hasBars ? 22 + barHeight : 22;
  const scale = (innerWidth - 20) / Math.max(1, ...groups.map(({ size }) => size));
  const row = ({ votes, seats, members: memberCount }: GroupSeats, at: number) => {
    const top = y + at * rowHeight;
    const label = breakLines({ text: groupLabel(votes, context.facts), size: 13 }, 200)[0]!;
    const members = memberCount === null ? '' : speech.count(memberCount, 'member');
    return [
      `<rect x="${margin}" y="${top + 3}" width="12" height="12" fill="${colours[at]}"/>`,
      `<text x="${margin + 20}" y="${top + 14}" font-size="13">${svgText(label)}</text>`,
      `<text x="${margin + 290}" y="${top + 14}" font-size="13" text-anchor="end" fill="${mutedInk}">${members}</text>`,
      `<text x="${margin + 306}" y="${top + 14}" font-size="13">${svgText(seatCountsText(seats, ballot, speech))}</text>`,
      hasBars ? groupBar({ seats }, { at, colour: colours[at]!, y: top + 20, scale }) : '',
    ].join('');
  };
  return { markup: groups.map(row).join('\n'), height: groups.length * rowHeight + (groups.length > 0 ? 12 : 0) };
}

function footerBlock({ ballot, context, speech }: Drawing, y: number): Block {
  const note = seatingNote(ballot, context.order);
  const seatsNote = note === null ? emptyBlock : paragraph({ text: speech.render(note), size: 12, fill: mutedInk }, y);
  const attributionBlock = paragraph({ text: context.attribution, size: 12, fill: mutedInk }, y + seatsNote.height);
  return {
    markup: `${seatsNote.markup}\n${attributionBlock.markup}`,
    height: seatsNote.height + attributionBlock.height + margin,
  };
}
