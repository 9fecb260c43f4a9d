import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { RepricerRules, type RepricerRule } from '#shared/repricer/schema.ts';
import { call, CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import type { Foreign } from '#client/editor/conflict.ts';
import { saveFailureOf } from '#client/editor/save-failure.ts';
import { documentOf } from './repricer-path.ts';

type Outcome = { kind: 'saved' } | { kind: 'stale'; foreign: Foreign<RepricerRule> } | { kind: 'refused' };

const staleText =
  'Jemand anderes hat die Repricing-Regeln inzwischen geändert. Ihre Änderungen stehen noch im Formular. Versuchen Sie es erneut, um beide Stände zu vergleichen.';

/** Talks to the server about the rules, one after the other; the revision that the form knows goes along with every save. */
export function useSaving(masterid: string, loaded: number) {
  const params = { masterid };
  const revision = useRef(loaded);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  /** Sends rules and tells of each as soon as it is kept. What was kept before a failure stays kept. */
  const send = async (list: readonly RepricerRule[], onKept: (rule: RepricerRule) => void): Promise<Outcome> => {
    setBusy(true);
    setFailure(null);
    try {
      for (const body of list) {
        const kept = await call(api.saveRepricerRule, {
          params: { masterid, ruleid: body.id },
          body,
          ifMatch: revision.current,
        });
        revision.current = kept.revision;
        onKept({ ...body, active: kept.active });
      }
      return { kind: 'saved' };
    } catch (error) {
      const failed = saveFailureOf(error);
      setFailure(failed.conflict ? { ...failed, message: staleText } : failed);
      const foreign = failed.conflict ? await newest(masterid).catch(() => undefined) : undefined;
      return foreign === undefined ? { kind: 'refused' } : { kind: 'stale', foreign };
    } finally {
      setBusy(false);
    }
  };
  /** REP-18. A gap in the numbers says that somebody else saved: then the old one stays, and the next save is told so. */
  const remove = async (ruleid: string): Promise<boolean> => {
    setFailure(null);
    try {
      const done = await call(api.deleteRepricerRule, { params, query: { queryselector: ruleid }, body: undefined });
      if (done.revision === revision.current + 1) revision.current = done.revision;
      return true;
    } catch (error) {
      // Somebody else was faster.
      if (error instanceof CallError && error.status === 404) return true;
      setFailure(failureOf('Fehler beim Löschen', error));
      return false;
    }
  };
  const order = async (ids: readonly string[]): Promise<boolean> => {
    setFailure(null);
    try {
      const done = await call(api.orderRepricerRules, { params, body: { ids: [...ids] } });
      if (done.revision === revision.current + 1) revision.current = done.revision;
      return true;
    } catch (error) {
      const failed = failureOf('Fehler beim Speichern', error);
      setFailure({ ...failed, message: `${failed.message} Die Reihenfolge steht wieder wie zuvor.` });
      return false;
    }
  };
  /** From now on the form stands on what the other one saved. */
  const standOn = (foreign: Foreign<RepricerRule>) => {
    revision.current = foreign.revision;
    setFailure(null);
  };
  return { send, remove, order, standOn, busy, failure, setFailure, forget: () => setFailure(null) };
}

/** The rules as they stand on the server now, with who saved them. @throws CallError, or ZodError for other content */
async function newest(masterid: string): Promise<Foreign<RepricerRule>> {
  const params = { ...documentOf(masterid), revision: 'latest' };
  const { content, ...rest } = await call(api.revision, { params });
  return { ...rest, rules: RepricerRules.parse(content ?? []) };
}
