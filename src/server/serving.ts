import type { QueryModel } from '../questions/query-vector.ts';
import type { ReadOptions } from '../questions/question.ts';
import type { CitationSettings } from '../store/records/contents.ts';
import type { Reader } from './reader.ts';
import type { RequestCounter } from './request-counter.ts';
import type { SlotWaiter } from './request-slots.ts';
import type { Responses } from './responses.ts';
import type { ServedMirror } from './served-mirror.ts';

/** The operator's settings of a server. */
export type ServerSettings = Pick<ReadOptions, 'questions' | 'places' | 'sqlFile'> & {
  citation: CitationSettings['citation']; // its missing values are read from each served mirror
  baseUrl?: CitationSettings['baseUrl'];
  groupOrder?: readonly string[] | null; // names of groups from left to right
  rateLimit: boolean; // true if requests above the quota are refused
  semantic: boolean; // true if searches may rank by meaning
  queryModel?: QueryModel | null;
  /** True for the operator's listener: it serves `/watches`, and refuses requests of other origins on every path. */
  isOperators?: boolean;
  viewerTokenFile?: string; // file of the viewer tokens' hashes; without it all callers are anonymous
  trustedProxies?: string[]; // addresses and networks (CIDR) of the proxies whose `X-Forwarded-For` is trusted
  basePath?: string; // path prefix behind a proxy, such as `/hemicycle`; the root by default
  allowedHosts?: string[]; // Host names allowed besides loopback; any name by default
};

/** Objects that all routes of a server share. */
export type ServerContext = {
  mirror: ServedMirror;
  settings: ServerSettings;
  answers: Responses; // sends responses and their validators
  reader: Reader; // reads the mirror in this process or in reader processes
  assetsPath: string; // URL path of page assets; it has a hash of their content, so browsers cache them indefinitely
  clock: () => number;
  requestCounter: RequestCounter;
  waitForSlot: SlotWaiter; // lets callers take turns
  onFailure: (error: unknown) => void; // receives errors whose details are hidden from callers
};
