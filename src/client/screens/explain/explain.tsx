import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/api.ts';
import { asking } from '../../loading.ts';
import { PageHeader } from '../../ui/page-header.tsx';

export function loader(args: LoaderFunctionArgs) {
  const { masterid = '', itemid = '' } = args.params;
  const search = new URL(args.request.url).searchParams;
  const query = {
    export: search.get('export') ?? undefined,
    field: search.get('feld') ?? undefined,
    run: search.get('lauf') ?? undefined,
  };
  return asking(args)(api.explain, { params: { masterid, itemid }, query });
}

export default function ExplainPage() {
  const { item, reason } = useLoaderData<typeof loader>();
  return <PageHeader title={`Erklären · ${item.id}`} lead={reason} />;
}
