import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { Rules, type Rule } from '#shared/rules/schema.ts';
import { call, CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import type { Foreign } from '#client/editor/conflict.ts';
import { saveFailureOf } from '#client/editor/save-failure.ts';
import { withReadableNumbers } from './rule-changes.ts';
import { documentOf, ruleCallsOf, type RuleScope } from './rule-scope.ts';

type Outcome = { kind: 'saved' } | { kind: 'stale'; foreign: Foreign<Rule> } | { kind: 'refused'; error: unknown };

const staleText =
  'Jemand anderes hat die Regeln inzwischen geändert. Ihre Änderungen stehen noch im Formular. Versuchen Sie es erneut, um beide Stände zu vergleichen.';

/**
 * Talks to the server about the list. The revision that the form knows goes along with every save, the first included, so
 * that nobody's work is overwritten unseen.
 */
export function useSaving(scope: RuleScope, loaded: number) {
  const { id } = scope;
  const calls = ruleCallsOf[scope.kind];
  const revision = useRef(loaded);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const send = async (rules: readonly Rule[]): Promise<Outcome> => {
    setBusy(true);
    setFailure(null);
    try {
      revision.current = (await calls.save(id, [...rules], revision.current)).revision;
      return { kind: 'saved' };
    } catch (error) {
      const failed = saveFailureOf(error);
      setFailure(failed.conflict ? { ...failed, message: staleText } : failed);
      const foreign = failed.conflict ? await newest(scope).catch(() => undefined) : undefined;
      return foreign === undefined ? { kind: 'refused', error } : { kind: 'stale', foreign };
    } finally {
      setBusy(false);
    }
  };
  const remove = async (ruleid: string): Promise<boolean> => {
    setFailure(null);
    try {
      const { revision: next } = await calls.remove(id, ruleid);
      // A gap says that somebody else saved in between: then the old number stays, and the next save is told so.
      if (next === revision.current + 1) revision.current = next;
      return true;
    } catch (error) {
      // Somebody else was faster.
      if (error instanceof CallError && error.status === 404) return true;
      setFailure(failureOf('Fehler beim Löschen', error));
      return false;
    }
  };
  /** From now on the form stands on what the other one saved. */
  const standOn = (foreign: Foreign<Rule>) => {
    revision.current = foreign.revision;
    setFailure(null);
  };
  return { send, remove, standOn, busy, failure, forget: () => setFailure(null) };
}

/** The rules as they stand on the server now, with who saved them. @throws CallError, or ZodError for other content */
async function newest(scope: RuleScope): Promise<Foreign<Rule>> {
  const { content, ...rest } = await call(api.revision, { params: { ...documentOf(scope), revision: 'latest' } });
  return { ...rest, rules: Rules.parse(content ?? []).map(withReadableNumbers) };
}
