import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { LiveComponent } from '#client/live-components/live-component.tsx';
import { asking } from '#client/loading.ts';
import { PageHeader } from '#client/ui/page-header.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const query = { name: searchParams.get('name') ?? '', summe: searchParams.get('summe') ?? '' };
  return asking(args)(api.liveComponentFirst, { params: { component: 'hello' }, query });
}

/** HDR-07: the smallest screen, which shows that screens are found by name and loaded when they are opened. */
export default function Hello() {
  const { html } = useLoaderData<typeof loader>();
  const [name, setName] = useState('');
  return (
    <div className="k-stack">
      <PageHeader title="Hallo" lead="Die Vorführung eines Bausteins: Er wird erst geladen, wenn er gebraucht wird." />
      <TextInput label="Wie heißen Sie?" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
      <p role="status">{name.trim() === '' ? 'Hallo!' : `Hallo, ${name.trim()}!`}</p>
      <section className="k-card" aria-label="Live-Komponente">
        <LiveComponent html={html} />
      </section>
    </div>
  );
}
