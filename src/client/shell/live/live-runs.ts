import type { CompanyEvent, RunOutcome } from '#shared/live/schema.ts';

/** Ids of what is running: imports by catalogue, channels and uploads by their ids. */
type Runs = {
  readonly imports: ReadonlySet<string>;
  readonly uploads: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
};

/** What is running in the company (LIV); `ended` channels have just ended, and how. */
export type LiveStatus = Runs & {
  readonly ended: ReadonlyMap<string, RunOutcome>;
  /** Number of runs seen to end; screens that show a run's results reload when it changes. */
  readonly finished: number;
  /** The same of imports alone, by catalogue: a short one is over before a page was drawn that showed it running. */
  readonly importsFinished: ReadonlyMap<string, number>;
  /** How often runs may have ended unseen, of whatever kind; they count in `finished`, too. */
  readonly missed: number;
  /** What ran when the stream was last heard of. */
  readonly lastKnown: Runs;
};

const noRuns: Runs = { imports: new Set(), uploads: new Set(), running: new Set() };
export const nothingRuns: LiveStatus = {
  ...noRuns,
  ended: new Map(),
  finished: 0,
  importsFinished: new Map(),
  missed: 0,
  lastKnown: noRuns,
};

/**
 * Compares with the last known runs: one that is no longer running has ended in the meantime. `missed`: so may others have, as
 * nothing was heard for too long.
 */
export function withStarted(now: LiveStatus, events: readonly CompanyEvent[], missed = false): LiveStatus {
  const { ended, finished, importsFinished, lastKnown } = now;
  const of = (wanted: CompanyEvent['message']) => events.filter(({ message }) => message === wanted);
  const runs: Runs = {
    imports: new Set(of('import').map(({ masterid }) => masterid)),
    uploads: new Set(of('upload').map(({ channel }) => channel)),
    running: new Set(of('channel').map(({ channel }) => channel)),
  };
  const lost = (kind: keyof Runs) => [...lastKnown[kind]].filter((id) => !runs[kind].has(id));
  const someEnded = missed || lost('imports').length + lost('uploads').length + lost('running').length > 0;
  return {
    ...runs,
    ended,
    finished: finished + (someEnded ? 1 : 0),
    importsFinished: lost('imports').reduce(withOneMore, importsFinished),
    missed: now.missed + (missed ? 1 : 0),
    lastKnown: runs,
  };
}

/** LIV-02. */
export function withEvent(now: LiveStatus, event: CompanyEvent): LiveStatus {
  const { message, state, channel, masterid } = event;
  const runs = state === 'run';
  const kind = ({ import: 'imports', upload: 'uploads', channel: 'running' } as const)[message];
  const id = message === 'import' ? masterid : channel;
  const next = { imports: now.imports, uploads: now.uploads, running: now.running };
  next[kind] = (runs ? withOne : without)(now[kind], id);
  return {
    ...now,
    ...next,
    ended: message === 'channel' ? endedAfter(now, event) : now.ended,
    finished: now.finished + (runs ? 0 : 1),
    importsFinished: message === 'import' && !runs ? withOneMore(now.importsFinished, id) : now.importsFinished,
    lastKnown: next,
  };
}

function endedAfter({ running, ended }: LiveStatus, { state, channel, outcome }: CompanyEvent): LiveStatus['ended'] {
  if (state === 'run') return withoutKey(ended, channel);
  return running.has(channel) || ended.has(channel) ? new Map(ended).set(channel, outcome ?? 'done') : ended;
}

/** LIV-03: the markers go; what ran is remembered, since it may end before the stream is back. */
export const withBroken = ({ finished, importsFinished, missed, lastKnown }: LiveStatus): LiveStatus => ({
  ...nothingRuns,
  finished,
  importsFinished,
  missed,
  lastKnown,
});

export const withoutEnded = (now: LiveStatus, channel: string): LiveStatus => ({
  ...now,
  ended: withoutKey(now.ended, channel),
});

const withOneMore = (counts: ReadonlyMap<string, number>, id: string): ReadonlyMap<string, number> =>
  new Map(counts).set(id, (counts.get(id) ?? 0) + 1);

const withoutKey = <Value>(map: ReadonlyMap<string, Value>, one: string): ReadonlyMap<string, Value> =>
  new Map([...map].filter(([key]) => key !== one));

const withOne = (set: ReadonlySet<string>, one: string): ReadonlySet<string> => new Set([...set, one]);

function without(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  if (!set.has(one)) return set;
  return new Set([...set].filter((other) => other !== one));
}
