import { useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Rule } from '#shared/rules.ts';
import { CallError } from '../../call.ts';
import { failureOf } from '../../failure.ts';
import { type SaveFailure, saveFailureOf } from '../../fields/save-failure.ts';
import { withReadableNumbers } from './rule-changes.ts';
import { ruleCallsOf, rulePath, type RuleScope } from './rule-scope.ts';

/**
 * The selected rule stands in the address; nothing is loaded for it, so that a lost connection costs no edit. A choice
 * counts at once, the address follows.
 */
export function useSelected({ kind, id }: RuleScope) {
  const navigate = useNavigate();
  const { ruleid } = useParams();
  const [chosen, setChosen] = useState<{ id: string | undefined; before: string | undefined } | null>(null);
  const selected = chosen !== null && chosen.before === ruleid ? chosen.id : ruleid;
  const select = (next: string | undefined) => {
    if (next === selected) return;
    setChosen({ id: next, before: ruleid });
    void navigate(rulePath({ kind, id }, next), { preventScrollReset: true, defaultShouldRevalidate: false });
  };
  return { selected, select };
}

/** Talks to the server about the list. The newest known revision goes along, so that nobody's work is overwritten. */
export function useSaving({ kind, id }: RuleScope) {
  const calls = ruleCallsOf[kind];
  const revision = useRef<number | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);

  /** Undefined if it went well, else the error. */
  const send = async (rules: readonly Rule[], anyway: boolean): Promise<unknown> => {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await calls.save(id, [...rules], anyway ? undefined : revision.current);
      revision.current = answer.revision;
      return undefined;
    } catch (error) {
      setFailure(saveFailureOf(error));
      return error;
    } finally {
      setBusy(false);
    }
  };
  const remove = async (ruleid: string): Promise<boolean> => {
    setFailure(null);
    try {
      const { revision: next } = await calls.remove(id, ruleid);
      // A gap says that somebody else saved in between: then the old number stays, and the next save is told so.
      if (revision.current === undefined || next === revision.current + 1) revision.current = next;
      return true;
    } catch (error) {
      // Somebody else was faster.
      if (error instanceof CallError && error.status === 404) return true;
      setFailure({ ...failureOf('Fehler beim Löschen', error), conflict: false });
      return false;
    }
  };
  const reload = async (): Promise<Rule[] | undefined> => {
    try {
      const fresh = await calls.load(id);
      revision.current = undefined;
      setFailure(null);
      return fresh.map(withReadableNumbers);
    } catch (error) {
      setFailure({ ...failureOf('Fehler beim Laden', error), conflict: true });
      return undefined;
    }
  };
  return { send, remove, reload, busy, failure, forget: () => setFailure(null) };
}
