import { useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import type { RuleScope } from '#client/screens/rules/rule-scope.ts';

/** A list of rules that a rule can be copied to. */
export type CopyTarget = { scope: RuleScope; name: string; searched: string };
/** Result of copying to one target. */
export type CopyOutcome = { kind: 'busy' | 'done' } | { kind: 'failed'; message: string };

/** Returns the rule lists of every catalogue, each followed by those of its exports. */
export function targetsOf(masters: readonly Master[]): CopyTarget[] {
  return masters.flatMap(({ masterid, name, exports }) => [
    { scope: { kind: 'master' as const, id: masterid }, name, searched: name.toLowerCase() },
    ...exports.map((one) => ({
      scope: { kind: 'export' as const, id: one.id },
      name: one.name,
      // A search for a catalogue also finds its exports.
      searched: `${one.name}\n${one.channel}\n${name}`.toLowerCase(),
    })),
  ]);
}

/** Loads the targets and copies to the chosen ones, one after the other, each with its own outcome. */
export function useCopying(rule: Rule) {
  const [targets, setTargets] = useState<readonly CopyTarget[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, CopyOutcome>>(new Map());
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        setTargets(targetsOf(await call(api.masters, { signal: stop.signal })));
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      }
    };
    void load();
    return () => stop.abort();
  }, [attempt]);

  const note = (id: string, outcome: CopyOutcome) => setOutcomes((now) => new Map([...now, [id, outcome]]));
  const toggle = (id: string) =>
    setChosen((now) => new Set(now.has(id) ? [...now].filter((other) => other !== id) : [...now, id]));
  const copy = async () => {
    for (const id of chosen) {
      note(id, { kind: 'busy' });
      try {
        await call(api.copyRules, { params: { masterid: id }, body: { rules: [rule] } });
        note(id, { kind: 'done' });
      } catch (error) {
        note(id, { kind: 'failed', message: failureOf('Fehler beim Speichern', error).message });
      }
    }
    setChosen(new Set());
  };
  return { targets, failure, retry: () => setAttempt((count) => count + 1), chosen, toggle, outcomes, copy };
}
