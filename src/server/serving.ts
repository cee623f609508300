import type { Citation } from '../model/attribution.ts';
import type { QueryModel } from '../questions/query-vector.ts';
import type { CitationSettings } from '../store/records/contents.ts';
import type { Reader } from './reader.ts';
import type { RequestCounter } from './request-counter.ts';
import type { SlotWaiter } from './request-slots.ts';
import type { Responses } from './responses.ts';
import type { ServedMirror } from './served-mirror.ts';

/** The operator's settings of a server. */
export type ServerSettings = {
  citation: Citation;
  /** Configured parts of the citation, completed from each served mirror; without them `citation` is used for all. */
  citationSettings?: CitationSettings;
  /** Names of groups from left to right. */
  groupOrder?: readonly string[] | null;
  rateLimit: boolean;
  semantic: boolean;
  /** The operator's own: folder of saved questions, and table of communes. */
  questions?: string | null;
  places?: string | null;
  /** The exported SQLite file that the page for free SQL reads; without it there is no such page. */
  sqlFile?: string | null;
  queryModel?: QueryModel | null;
  /** True for the operator's own listener: it has `/watches`, and refuses pages of other origins everywhere. */
  isOperators?: boolean;
  /** File of the viewer tokens' hashes; without it all callers are anonymous. */
  viewerTokenFile?: string;
  /** Addresses and networks (CIDR) of the proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: string[];
  /** Path prefix behind a proxy, such as `/hemicycle`; the root by default. */
  basePath?: string;
  /** Allowed Host names besides loopback; any name by default. */
  allowedHosts?: string[];
};

/** Dependencies of all routes. */
export type ServerContext = {
  mirror: ServedMirror;
  settings: ServerSettings;
  answers: Responses;
  reader: Reader;
  /** Path of the files of pages, which changes with their content: browsers keep what they have from there. */
  assetsPath: string;
  clock: () => number;
  requestCounter: RequestCounter;
  waitForSlot: SlotWaiter;
  /** Gets errors whose details are hidden from callers. */
  onFailure: (error: unknown) => void;
};
