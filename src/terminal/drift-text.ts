import type { ShapeChange } from '../model/drift.ts';
import type { Drift } from '../store/syncs/shapes.ts';
import { type Phrase, say, saying, type UserText } from '../words/speech.ts';

/** How answers look otherwise, and since when. */
export function driftText({ change, field, before, now, subject, since }: Drift): UserText {
  const [was, is] = [inWords(before), inWords(now)];
  const said: Record<ShapeChange['change'], Phrase> = {
    gone: say`${field} is gone (it was in ${was} of the records)`,
    new: say`${field} is new (in ${is} of the records)`,
    renamed: say`${field} is called ${is} now`,
    type: say`${field} is of the type ${is} now, and was ${was}`,
    nulls: say`${field} is empty in ${is} of the records, and was in ${was}`,
    form: say`${field} is written in the form ${is} now, and was ${was}`,
    value: say`${field} has a value that is new: ${is}`,
    envelope:
      now === null
        ? say`the records stood under ${field}, and are nowhere to be found now`
        : say`the records stand under ${is} now, and stood under ${field}`,
    total:
      now === null
        ? say`how many there are stood under ${field}, and is not stated now`
        : say`how many there are stood under ${field}, and stands under ${is} now`,
    delimiter: say`its cells are parted by a ${is} now, and were by a ${was}`,
    cursor: say`the next page stood under ${field}, and stands under ${is} now`,
  };
  return saying(
    (speech) => `${subject}: ${speech.tell(said[change])}, ${speech.say`since ${speech.moment(since)}`}`,
  );
}

function inWords(text: string | null): UserText {
  const [, percent] = /^(\d+)%$/.exec(text ?? '') ?? [];
  return saying((speech) =>
    percent === undefined ? speech.word(text ?? '') : speech.share(Number(percent) / 100),
  );
}
