import type { Citation } from '../model/attribution.ts';
import type { QueryModel } from '../questions/query-vector.ts';
import type { CitationSettings } from '../store/records/citation.ts';
import type { Bounds } from './bounds.ts';
import type { Reader } from './reader.ts';
import type { Responses } from './responses.ts';
import type { ServedMirror } from './served-mirror.ts';
import type { AdmissionLog } from './sliding-log.ts';

/** What the operator decides about the server. */
export type ServerSettings = {
  /** Who is to be cited. */
  citation: Citation;
  /** What is stated of the service, where each mirror that is served may say the rest; else `citation` holds for all. */
  cites?: CitationSettings;
  rateLimit: boolean;
  semantic: boolean;
  /** The thesaurus of semantic search: a file, `off`, or one that is found where this is not stated. */
  thesaurus?: string | null;
  /** The model that semantic search compares by. */
  queryModel?: QueryModel | null;
  /** True where whoever asks may see what is watched: pages and feeds of the watches beside the mirror. */
  showsWatches?: boolean;
  /** File of the viewer tokens' hashes; nobody is a viewer without one. */
  viewerTokenFile?: string;
  /** Addresses and networks (CIDR) of the proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: string[];
  /** The path below which others find it, behind a proxy: `/hemicycle`; the root where this is not stated. */
  basePath?: string;
  /** Names under which it may be asked beside this machine's own; any name where this is not stated. */
  allowedHosts?: string[];
};

/** What every route is given. */
export type Serving = {
  mirror: ServedMirror;
  settings: ServerSettings;
  answers: Responses;
  bounds: Bounds;
  reader: Reader;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Where requests are counted. */
  admissions: AdmissionLog;
  /** Is told of what callers do not see. */
  onFailure: (error: unknown) => void;
};
