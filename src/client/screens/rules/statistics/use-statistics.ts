import { useEffect, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { ItemRow } from '#shared/items/schema.ts';
import type { Statistics } from '#shared/rules/statistics.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { call, callFile } from '#client/call.ts';
import { downloadFile } from '#client/csv-download.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import type { RuleScope } from '#client/screens/rules/rule-scope.ts';

/** Rows per request; every page size divides it, so a page never spans two chunks. */
const chunk = 500;

type StatisticsInput = { rule: string; rules: readonly Rule[] };
/** An answer with the chunks loaded so far, by their number. */
export type Result = Omit<Statistics, 'data' | 'finished'> & {
  question: StatisticsInput;
  chunks: ReadonlyMap<number, readonly ItemRow[]>;
};

/** Returns the rows of one page; undefined while their chunk is not loaded. */
export function pageOf({ chunks }: Result, page: number, size: number): readonly ItemRow[] | undefined {
  const from = page * size;
  return chunks.get(Math.floor(from / chunk))?.slice(from % chunk, (from % chunk) + size);
}

export type StatisticsState = ReturnType<typeof useStatistics>;

/** RUL-11: loads the effect of a rule; a newer request aborts the older one. */
export function useStatistics({ id }: RuleScope) {
  const [result, setResult] = useState<Result | null>(null);
  const [busy, setBusy] = useState(false);
  const [request, setRequest] = useState<StatisticsInput | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const load = async (question: StatisticsInput, number: number): Promise<Statistics | undefined> => {
    underWay.current?.abort();
    const stop = new AbortController();
    underWay.current = stop;
    setBusy(true);
    setRequest(question);
    setFailure(null);
    try {
      const body = { data: question.rule, rules: [...question.rules], offset: number * chunk, limit: chunk };
      const answer = await call(api.ruleStatistics, { params: { masterid: id }, body, signal: stop.signal });
      return stop.signal.aborted ? undefined : answer;
    } catch (error) {
      if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden der Daten:', error));
      return undefined;
    } finally {
      if (!stop.signal.aborted) setBusy(false);
    }
  };
  const ask = async (rule: string, rules: readonly Rule[]) => {
    const question = { rule, rules };
    const answer = await load(question, 0);
    if (answer !== undefined) setResult({ ...answer, question, chunks: new Map([[0, answer.data]]) });
  };
  /** Loads the chunk that contains a page, computed on the same rules. */
  const loadPage = async (page: number, size: number) => {
    if (result === null || pageOf(result, page, size) !== undefined) return;
    const number = Math.floor((page * size) / chunk);
    const answer = await load(result.question, number);
    if (answer === undefined) return;
    setResult((now) =>
      now?.question === result.question ? { ...now, chunks: new Map([...now.chunks, [number, answer.data]]) } : now,
    );
  };
  return {
    result,
    busy,
    request: request,
    failure,
    ask,
    loadPage: (page: number, size: number) => void loadPage(page, size),
  };
}

/** Exports all items of an answer as a file; the server computes it on the rules of the request. */
export function useCsv({ id }: RuleScope, result: Result | null) {
  const { busy: exporting, start: exportCsv } = useOnce(async () => {
    if (result === null) return;
    const { rule, rules } = result.question;
    try {
      const { file, name } = await callFile(api.ruleCsv, {
        params: { masterid: id },
        body: { data: rule, rules: [...rules] },
      });
      downloadFile(name, file);
    } catch (error) {
      showFailure(failureOf('Fehler beim Laden der Daten:', error));
    }
  });
  return { exporting, exportCsv };
}
