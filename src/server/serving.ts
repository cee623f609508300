import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Citation } from '../model/attribution.ts';
import type { Mirror } from '../store/open.ts';
import type { Answers } from './answers.ts';
import type { Bounds } from './bounds.ts';
import type { Searcher } from './search-text.ts';
import type { AdmissionLog } from './sliding-log.ts';

/** A part of the application whose parameters are typed by their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What the operator decides about the server. */
export type ServerSettings = {
  citation: Citation;
  rateLimit: boolean;
  semantic: boolean;
  /** File of the viewer tokens' hashes; nobody is a viewer without one. */
  viewerTokenFile?: string;
  /** Addresses and networks (CIDR) of the proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: string[];
  /** Names under which it may be asked beside this machine's own; any name where this is not stated. */
  allowedHosts?: string[];
};

/** What every route is given. */
export type Serving = {
  mirror: Mirror;
  settings: ServerSettings;
  answers: Answers;
  bounds: Bounds;
  searcher: Searcher;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Where requests are counted. */
  admissions: AdmissionLog;
  /** Is told of what callers do not see. */
  onFailure: (error: unknown) => void;
};
