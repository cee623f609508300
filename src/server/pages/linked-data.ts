import { linkedDataType, recordLinkedData } from '../../format/catalog.ts';
import { recordPath } from '../../model/addresses.ts';
import { attributionOf } from '../../model/attribution.ts';
import type { KindName } from '../../model/kinds.ts';
import type { RecordQuestion } from '../../questions/question.ts';
import type { Form } from './view.ts';

/** A politician or party as a person or organization of schema.org, in JSON-LD. */
export const linkedData: Form = {
  mediaType: linkedDataType,
  isAbsolute: true,
  make(making, { question, asked }) {
    const { citation, filledAt, reading, origin } = making;
    const record = question as RecordQuestion;
    const values = asked(making.values);
    const attribution = attributionOf(citation, { retrievedAt: filledAt, asOf: reading.asOf });
    const addressOf = (kind: KindName, key: string) => `${origin}${recordPath(kind, key)}`;
    const kind = record.kind(making.whole(record, values));
    return recordLinkedData(kind, making.record(record, values), { addressOf, attribution }) ?? '';
  },
};
