import { Button, Loader, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { ChannelInfo } from '#shared/channels/schema.ts';
import { outputKinds } from '#shared/exports/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { leaveWithoutPrompt } from '#client/leaving/leaving.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';
import { useLive } from '#client/use-live.ts';
import { useFailure } from '#client/use-failure.ts';
import { ChannelList } from './channel-list.tsx';
import classes from './create-export.module.css';
import { fileKinds, filenameOf, FREE, inOrder, nameOf, type NewExportForm } from './new-export.ts';

type CreateExportProps = {
  masterid: string;
  /** The catalogue's name. */
  master: string;
  onClose: () => void;
};
const question = {};

/** Chooses a channel for a new export of a catalogue, names it and goes on to its fields. */
export default function CreateExport({ masterid, master, onClose }: CreateExportProps) {
  const channels = useLive(question, async (signal) => inOrder(await call(api.channels, { signal })), { delay: 0 });
  const [first] = channels.answer ?? [];
  const [dirty, setDirty] = useState(false);
  return (
    <FormDialog opened dirty={dirty} onClose={onClose} size={640} title="Export anlegen">
      <ErrorNotice failure={channels.failure} onRetry={channels.retry} />
      {channels.busy && <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />}
      {channels.answer !== null && first !== undefined && (
        <ExportForm
          masterid={masterid}
          master={master}
          channels={channels.answer}
          first={first}
          onClose={onClose}
          onDirty={setDirty}
        />
      )}
    </FormDialog>
  );
}

type ExportFormProps = CreateExportProps & {
  channels: readonly ChannelInfo[];
  first: ChannelInfo;
  onDirty: (dirty: boolean) => void;
};

function ExportForm({ masterid, master, channels, first, onClose, onDirty }: ExportFormProps) {
  const { form, setForm, create, busy, failure } = useNewExport(masterid, first);
  const { channel, kind } = form;
  // Only typed text counts as unsaved: a channel is chosen again with one click.
  useTellDirty(onDirty, form.name !== null || form.filename !== null);
  const choose = (chosen: ChannelInfo) =>
    setForm({ ...form, channel: chosen, kind: chosen.format.kind, filename: null });
  return (
    <form className="k-stack" onSubmit={(event) => void create(event)}>
      <p>
        Gibt die Artikel des Katalogs <b>{master}</b> aus.
      </p>
      <ErrorNotice failure={failure} />
      <ChannelList channels={channels} chosen={channel.channel} onChoose={choose} />
      <TextInput
        label="Name"
        description="Meist der Name des Marktplatzes oder Empfängers."
        placeholder="z. B. Google Shopping"
        required
        maxLength={200}
        value={nameOf(form)}
        onChange={({ currentTarget }) => setForm({ ...form, name: currentTarget.value })}
      />
      <div className={classes.pair}>
        <NativeSelect
          label="Format"
          value={kind}
          onChange={({ currentTarget }) => {
            const chosen = fileKinds.find((one) => one === currentTarget.value);
            if (chosen !== undefined) setForm({ ...form, kind: chosen });
          }}
          data={fileKinds.map((value) => ({ value, label: outputKinds[value].label }))}
        />
        <TextInput
          label="Dateiname"
          required
          maxLength={128}
          spellCheck={false}
          value={filenameOf(form)}
          onChange={({ currentTarget }) => setForm({ ...form, filename: currentTarget.value })}
        />
      </div>
      <p className="k-muted k-small">
        {channel.channel === FREE
          ? 'Trennzeichen, Zeichensatz und mehr stellen Sie danach unter Einstellungen ein.'
          : kind === channel.format.kind
            ? 'Format und Felder kommen aus der Vorlage des Kanals. Sie können beides danach ändern.'
            : `Die Vorlage sieht ${outputKinds[channel.format.kind].label} vor. Prüfen Sie, ob der Kanal auch dieses Format nimmt.`}
      </p>
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" loading={busy} disabled={nameOf(form).trim() === '' || filenameOf(form).trim() === ''}>
          Anlegen
        </Button>
      </div>
    </form>
  );
}

function useNewExport(masterid: string, first: ChannelInfo) {
  const [form, setForm] = useState<NewExportForm>({
    channel: first,
    kind: first.format.kind,
    name: null,
    filename: null,
  });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const navigate = useNavigate();
  const create = async (event: SyntheticEvent) => {
    event.preventDefault();
    const { channel, kind } = form;
    setBusy(true);
    setFailure(null);
    try {
      const { id } = await call(api.createExport, {
        params: { masterid },
        body: { name: nameOf(form), channel: channel.channel, format: kind, filename: filenameOf(form) },
      });
      // The template's fields have no sources yet, so suggestions are opened at once.
      const suggest = channel.fields > 0 ? '?vorschlaege=1' : '';
      await leaveWithoutPrompt(async () => navigate(pathTo(pages.construction, { id }) + suggest));
    } catch (error) {
      setFailure(failureOf('Fehler beim Anlegen', error));
    } finally {
      setBusy(false);
    }
  };
  return { form, setForm, create, busy, failure };
}
