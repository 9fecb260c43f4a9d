import { type ExportSettings, ExportSettingsSave, outputKinds } from '#shared/exports/schema.ts';

/** Says what else changes with the file's name or kind: the address that the channel pulls from, and an ending that misleads. */
export function fileNameHints(
  stored: Pick<ExportSettings, 'filename'>,
  draft: Pick<ExportSettings, 'filename' | 'format'>,
): string[] {
  const { label, extension } = outputKinds[draft.format.kind];
  const ending = /\.([a-z0-9]+)$/i.exec(draft.filename)?.[1]?.toLowerCase();
  const other = Object.values(outputKinds).some((kind) => kind.extension === ending) && ending !== extension;
  return [
    ...(other ? [`Der Name endet auf „.${ending}“, die Datei ist aber ${label}. Üblich ist „.${extension}“.`] : []),
    ...(draft.filename === stored.filename
      ? []
      : [
          'Mit dem Namen ändert sich die Abruf-Adresse. Die bisherige gilt nur bis zum nächsten Lauf; bitte teilen Sie dem Kanal die neue mit.',
        ]),
  ];
}

/** Returns why a file name is refused, in German; undefined if it is accepted. */
export const fileNameError = (filename: string): string | undefined =>
  ExportSettingsSave.shape.filename.safeParse(filename).error?.issues[0]?.message;
