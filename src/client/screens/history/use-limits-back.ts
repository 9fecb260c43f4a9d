import { api } from '#shared/http/api.ts';
import { type DocumentSubject, withPartBack } from '#shared/history/schema.ts';
import { RepricerRules } from '#shared/repricer/schema.ts';
import { call } from '#client/call.ts';
import { useLimitQuestion } from '#client/fields/limits/use-limit-question.ts';
import { showFailure } from '#client/ui/notices.tsx';

/** `ifMatch`: the revision that the question was about; only that one may be replaced. */
type MayRestore = { go: boolean; ifMatch?: number; told?: string };

/**
 * T26: restoring an older state or a deleted rule of repricing moves limits as a save does, so it needs the same confirmation.
 */
export function useLimitsBack({ subject, scope }: { subject: DocumentSubject; scope: string }) {
  const limits = useLimitQuestion(scope.replace(/^master:/, ''), (failure) => failure !== null && showFailure(failure));
  const contentOf = async (revision: number | 'latest') => {
    const found = await call(api.revision, { params: { subject, scope, revision } });
    return { revision: found.revision, rules: RepricerRules.parse(found.content ?? []) };
  };
  /** Tells whether a restore may go on; documents without effect on price limits always may. @throws CallError */
  const mayRestore = async ({ revision, part }: { revision: number; part?: string }): Promise<MayRestore> => {
    if (subject !== 'repricer') return { go: true };
    const [today, older] = await Promise.all([contentOf('latest'), contentOf(revision)]);
    // The server refuses to replace a rule that is back, so there is nothing to ask.
    if (part !== undefined && today.rules.some(({ id }) => id === part)) return { go: true };
    const after = part === undefined ? older.rules : (withPartBack(older.rules, today.rules, part) ?? today.rules);
    const go = await limits.mayGo('restore', { before: today.rules, after });
    return { go, ifMatch: today.revision, told: limits.agreedQuestion() };
  };
  return { mayRestore, asked: limits.pending };
}
