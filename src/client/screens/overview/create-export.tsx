import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '#shared/api.ts';
import { defaultFormat, type OutputFormat, outputKinds } from '#shared/exports.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '../../address.ts';
import { call } from '../../call.ts';
import { type Failure, failureOf } from '../../failure.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';

/** The usual kinds of file; everything else is in the export's settings. */
const templates: Record<string, { label: string; format: Partial<OutputFormat>; channel: string }> = {
  csv: { label: outputKinds.csv.label, format: { kind: 'csv' }, channel: 'frei' },
  google: { label: 'Google Shopping (XML)', format: { kind: 'xml', style: 'google' }, channel: 'google' },
  xml: { label: outputKinds.xml.label, format: { kind: 'xml' }, channel: 'frei' },
  json: { label: outputKinds.json.label, format: { kind: 'json' }, channel: 'frei' },
  jsonl: { label: outputKinds.jsonl.label, format: { kind: 'jsonl' }, channel: 'frei' },
};

/** Names a new export of a catalogue and goes on to its fields. */
export default function CreateExport({ masterid, onClose }: { masterid: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('csv');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const navigate = useNavigate();

  const create = async (event: SyntheticEvent) => {
    event.preventDefault();
    const template = templates[kind];
    if (template === undefined) return;
    setBusy(true);
    setFailure(null);
    try {
      const { id } = await call(api.createExport, {
        params: { masterid },
        body: { name, channel: template.channel, format: { ...defaultFormat, ...template.format } },
      });
      await navigate(pathTo(pages.export, { id }));
    } catch (error) {
      setFailure(failureOf('Fehler beim Anlegen', error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal opened onClose={onClose} title={<span className="k-strong">Export anlegen</span>}>
      <form className="k-stack" onSubmit={(event) => void create(event)}>
        <ErrorNotice failure={failure} />
        <TextInput
          label="Name"
          description="Meist der Name des Marktplatzes oder Empfängers."
          placeholder="z. B. Google Shopping"
          required
          maxLength={200}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label="Format"
          description="Trennzeichen, Zeichensatz und mehr stellen Sie danach unter Einstellungen ein."
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
          data={Object.entries(templates).map(([value, { label }]) => ({ value, label }))}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy} disabled={name.trim() === ''}>
            Anlegen
          </Button>
        </div>
      </form>
    </Modal>
  );
}
