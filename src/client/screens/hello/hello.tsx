import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { PageHeader } from '#client/ui/page-header.tsx';

/** HDR-07: the smallest screen there is, to see that screens are found by name and loaded when they are opened. */
export default function Hello() {
  const [name, setName] = useState('');
  return (
    <div className="k-stack">
      <PageHeader title="Hallo" lead="Die Vorführung eines Bausteins: Er wird erst geladen, wenn er gebraucht wird." />
      <TextInput label="Wie heißen Sie?" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
      <p role="status">{name.trim() === '' ? 'Hallo!' : `Hallo, ${name.trim()}!`}</p>
    </div>
  );
}
