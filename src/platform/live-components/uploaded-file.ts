/** Allowed file types with their first bytes. The client's file name and type are not trusted. */
const signatures = {
  png: { mediaType: 'image/png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  jpg: { mediaType: 'image/jpeg', begins: [0xff, 0xd8, 0xff] },
  gif: { mediaType: 'image/gif', begins: [0x47, 0x49, 0x46, 0x38] },
  pdf: { mediaType: 'application/pdf', begins: [0x25, 0x50, 0x44, 0x46, 0x2d] },
} as const;
/** Our name of a file type, also used as its extension. */
export type FileKind = keyof typeof signatures;

/** The files that a part may contain; size in bytes. */
export type FileRule = { readonly kinds: readonly FileKind[]; readonly mostBytes: number };
export type UploadedFile = {
  readonly part: string;
  readonly kind: FileKind;
  readonly mediaType: string;
  readonly bytes: Buffer;
};

/** Detects a file's type from its content; undefined if it is none of `kinds`. */
export function fileOf(part: string, bytes: Buffer, kinds: readonly FileKind[]): UploadedFile | undefined {
  const kind = kinds.find((one) => signatures[one].begins.every((byte, at) => bytes[at] === byte));
  return kind === undefined ? undefined : { part, kind, mediaType: signatures[kind].mediaType, bytes };
}
