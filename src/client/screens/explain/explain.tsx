import { Button } from '@mantine/core';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconCircleX from 'virtual:icons/circle-x';
import { data, Link, type LoaderFunctionArgs, useLoaderData, useNavigation, useParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { pages } from '#shared/pages.ts';
import { paramOf, pathTo } from '#client/address.ts';
import { askOver, CallError } from '#client/call.ts';
import { asking, toPage } from '#client/loading.ts';
import { servicesContext } from '#client/server-context.ts';
import { Badge } from '#client/ui/badge.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { AllFields } from './all-fields.tsx';
import { Answer } from './answer.tsx';
import { Controls } from './controls.tsx';
import classes from './explain.module.css';
import { readQuery } from './explain-query.ts';
import { NotExplained } from './not-explained.tsx';
import { Stages } from './stages.tsx';

type Found = { explanation: AnswerOf<typeof api.explain> | null; message: string };

/** If nothing can be explained, the page still shows its controls, which lead to another item, run or export. */
export async function loader(args: LoaderFunctionArgs) {
  const { request, params } = args;
  const masterid = paramOf(params, 'masterid');
  const itemid = paramOf(params, 'itemid');
  const query = readQuery(new URL(request.url).searchParams);
  const ask = asking(args);
  const { exports } = await ask(api.master, { params: { masterid } });
  const known = exports.some(({ id }) => id === query.exportId);
  const [runs, found] = await Promise.all([
    known && query.exportId !== null ? ask(api.exportRuns, { params: { id: query.exportId } }) : [],
    explained(args, masterid, itemid, query),
  ]);
  const { status, ...answer } = found;
  const finished = runs.filter(({ state }) => state === 'done');
  return data({ ...answer, masterid, itemid, query, exports, runs: finished }, { status });
}

async function explained(
  { request, context }: LoaderFunctionArgs,
  masterid: string,
  itemid: string,
  { exportId, field, runid }: ReturnType<typeof readQuery>,
): Promise<Found & { status: number }> {
  const query = { export: exportId ?? undefined, field: field ?? undefined, run: runid ?? undefined };
  try {
    const ask = askOver(context.get(servicesContext).fetchApi);
    return { explanation: await ask(api.explain, { params: { masterid, itemid }, query }), message: '', status: 200 };
  } catch (error) {
    if (!(error instanceof CallError) || ![404, 409, 410].includes(error.status)) throw toPage(error, request);
    return { explanation: null, message: error.message, status: error.status };
  }
}

/** Where the values of an item come from, and why it is not in an export. */
export default function ExplainPage() {
  const { explanation, message, exports, runs, query } = useLoaderData<typeof loader>();
  const params = useParams();
  const masterid = paramOf(params, 'masterid');
  const itemid = paramOf(params, 'itemid');
  const { state } = useNavigation();
  const title = explanation?.item.title ?? null;
  return (
    <div className={classes.page}>
      <PageHeader
        title={`Erklären · ${itemid}`}
        badge={explanation !== null && <PresenceBadge explanation={explanation} />}
        lead={title ?? 'Woher jeder Wert kommt, und warum ein Artikel nicht im Export ist.'}
        actions={
          explanation?.present === true &&
          explanation.snapshot.live && (
            <Button component={Link} to={pathTo(pages.item, { masterid, itemid })} variant="default">
              Artikeldaten
            </Button>
          )
        }
      />
      <Controls
        masterid={masterid}
        itemid={itemid}
        query={query}
        explanation={explanation}
        exports={exports}
        runs={runs}
      />
      <div className="k-renewing" aria-busy={state === 'loading'}>
        <div className={classes.content}>
          {explanation === null ? (
            <NotExplained message={message} masterid={masterid} itemid={itemid} query={query} />
          ) : (
            <>
              <Answer explanation={explanation} masterid={masterid} query={query} />
              {explanation.present && <Stages explanation={explanation} masterid={masterid} query={query} />}
              {explanation.present && query.field === null && (
                <AllFields explanation={explanation} masterid={masterid} query={query} />
              )}
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function PresenceBadge({ explanation }: { explanation: AnswerOf<typeof api.explain> }) {
  const { inExport, present, export: exported } = explanation;
  const words =
    exported !== null
      ? inExport
        ? 'im Export'
        : 'nicht im Export'
      : !present
        ? 'nicht im Katalog'
        : inExport
          ? 'im Katalog'
          : 'ausgeschlossen';
  return (
    <Badge tone={inExport ? 'green' : 'red'} icon={inExport ? IconCircleCheck : IconCircleX}>
      {words}
    </Badge>
  );
}
