import { useState } from 'react';
import type { ChannelInfo } from '#shared/channels/schema.ts';
import type { ExportSettings } from '#shared/exports/schema.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { type LostTemplate, lostTemplate } from './lost-template.ts';

/** The question before a save that takes the channel's template away. */
export function useTemplateQuestion(channels: readonly ChannelInfo[]) {
  const [pending, setPending] = useState<{ lost: LostTemplate; resolve: (go: boolean) => void } | null>(null);
  const mayGo = (draft: ExportSettings, stored: ExportSettings): Promise<boolean> => {
    const lost = lostTemplate(channels, stored.channel, draft.channel);
    if (lost === null) return Promise.resolve(true);
    return new Promise((resolve) => setPending({ lost, resolve }));
  };
  const answer = (go: boolean) => {
    pending?.resolve(go);
    setPending(null);
  };
  return { pending: pending?.lost ?? null, mayGo, answer };
}

type TemplateDialogProps = { lost: LostTemplate | null; onAnswer: (save: boolean) => void };

/** Says what the export loses with its channel's template. */
export function TemplateDialog({ lost, onAnswer }: TemplateDialogProps) {
  return (
    <ConfirmDialog
      opened={lost !== null}
      question="Kanal ändern und seine Vorlage ablegen?"
      confirm="Kanal ändern"
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      {lost !== null && (
        <>
          <p>
            Die Vorlage von {lost.before.name} gilt dann nicht mehr für diesen Export:
            {lost.next === undefined ? ' Für den neuen Kanal gibt es keine.' : ` Es gilt die von ${lost.next.name}.`}
          </p>
          <ul>
            <li>
              Die {formatInteger(lost.before.fields)} Felder von {lost.before.name} mit ihren Bezeichnungen,
              Beschreibungen und erlaubten Werten sind im Feldaufbau nicht mehr bekannt.
            </li>
            <li>
              Die Diagnose prüft nicht mehr auf die {formatInteger(lost.before.required)} Pflichtfelder und die anderen
              Vorgaben von {lost.before.name}.
            </li>
          </ul>
          <p>Ihre Zeilen im Feldaufbau bleiben. Mit dem bisherigen Kanal gilt auch die Vorlage wieder.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
