import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import { INCOMPLETE_TEXT, isComplete, repricerProblems } from '#shared/repricer/schema.ts';
import { call } from '#client/call.ts';
import type { SaveAnswer, SaveInput, SaveSubject } from '#client/editor/use-document-saving.ts';
import type { useLimitQuestion } from '#client/fields/limits/use-limit-question.ts';
import type { NameWanted } from '#client/fields/rule-list/rule-head.tsx';
import { showHint, showSaved } from '#client/ui/notices.tsx';
import { asSent, unsavedRules, withSaved } from './rule-form.ts';
import type { List } from './use-repricer.ts';

type UseSaves = {
  masterid: string;
  selected: string | undefined;
  select: (ruleId: string) => void;
  wantName: (ruleId: string) => void;
  limits: Pick<ReturnType<typeof useLimitQuestion>, 'mayGo' | 'agreedQuestion'>;
};

/** Saves repricing rules together, after asking about moved limits (REP-13 to REP-15). */
export function useSaves({
  masterid,
  selected,
  select,
  wantName,
  limits: { mayGo: mayMove, agreedQuestion },
}: UseSaves) {
  /** Rules of an attempted save: they show what they lack (REP-14). */
  const [tried, setTried] = useState<ReadonlySet<string>>(new Set());
  const [sellerWanted, setSellerWanted] = useState<NameWanted | null>(null);
  /** Returns the changed rules, or else the selected rule unchanged. */
  const wanted = (rules: List, stored: List): List => {
    const unsaved = unsavedRules(stored, rules);
    return unsaved.length > 0 ? unsaved : rules.filter(({ id }) => id === selected).slice(0, 1);
  };
  const subject: SaveSubject<List> = {
    mayGo: (rules, before) => {
      const list = wanted(rules, before);
      setTried((now) => new Set([...now, ...list.map(({ id }) => id)]));
      const wrong = list.find((rule) => repricerProblems(rule).length > 0);
      if (wrong === undefined)
        return mayMove('save', { before, after: withSaved({ saved: before, sent: list.map(asSent), all: rules }) });
      if (wrong.name.trim() === '') wantName(wrong.id);
      else {
        select(wrong.id);
        setSellerWanted({ ruleId: wrong.id });
      }
      return false;
    },
    send: async (rules, input) => {
      const list = wanted(rules, input.stored);
      const answer = await sendAll({ masterid, told: agreedQuestion() }, list, rules, input);
      if (list.some((rule) => !isComplete(rule))) showHint(INCOMPLETE_TEXT);
      return answer;
    },
    onSaved: () => showSaved('Daten erfolgreich gespeichert!'),
  };
  return { subject, tried, sellerWanted, forgetTries: () => setTried(new Set()) };
}

/** Sends one rule by the documented call; several, or a new one with its position, in one request that saves all or none. */
async function sendAll(
  { masterid, told }: { masterid: string; told: string },
  list: List,
  all: List,
  { revision, stored, signal }: SaveInput<List>,
): Promise<SaveAnswer<List>> {
  const saved = withSaved({ saved: stored, sent: list.map(asSent), all });
  const [only] = list;
  const storedIds = new Set(stored.map(({ id }) => id));
  const ids = all.map(({ id }) => id);
  const unsorted = [...stored.map(({ id }) => id), ...ids.filter((id) => !storedIds.has(id))];
  const input = { ifMatch: revision, told, signal };
  if (list.length === 1 && only !== undefined && unsorted.join() === ids.join()) {
    const params = { masterid, ruleid: only.id };
    const answer = await call(api.saveRepricerRule, { params, body: asSent(only), ...input });
    const sent = { ...asSent(only), active: answer.active };
    return { revision: answer.revision, stored: withSaved({ saved: stored, sent: [sent], all }) };
  }
  const body = { ids, rules: list.map(asSent) };
  const answer = await call(api.orderRepricerRules, { params: { masterid }, body, ...input });
  return { revision: answer.revision, stored: saved };
}
