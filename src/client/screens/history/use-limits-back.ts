import { api } from '#shared/http/api.ts';
import { type DocumentSubject, withPartBack } from '#shared/history/schema.ts';
import { RepricerRules } from '#shared/repricer/schema.ts';
import { call } from '#client/call.ts';
import { useLimitQuestion } from '#client/fields/limits/use-limit-question.ts';
import { showFailure } from '#client/ui/notices.tsx';

/** The number of the state that was asked about: only over that one it may be restored. */
type MayRestore = { go: boolean; ifMatch?: number; told?: string };

/** T26: an older state of the repricing rules, or a deleted one of them, moves limits as a save does, so it is asked about as well. */
export function useLimitsBack({ subject, scope }: { subject: DocumentSubject; scope: string }) {
  const limits = useLimitQuestion(scope.replace(/^master:/, ''), (failure) => failure !== null && showFailure(failure));
  const contentOf = async (revision: number | 'latest') => {
    const found = await call(api.revision, { params: { subject, scope, revision } });
    return { revision: found.revision, rules: RepricerRules.parse(found.content ?? []) };
  };
  /** Documents that price nothing may always come back. @throws CallError */
  const mayRestore = async ({ revision, part }: { revision: number; part?: string }): Promise<MayRestore> => {
    if (subject !== 'repricer') return { go: true };
    const [today, older] = await Promise.all([contentOf('latest'), contentOf(revision)]);
    const after = part === undefined ? older.rules : (withPartBack(older.rules, today.rules, part) ?? today.rules);
    const go = await limits.mayGo('restore', { before: today.rules, after });
    return { go, ifMatch: today.revision, told: limits.toldOf() };
  };
  return { mayRestore, asked: limits.pending };
}
