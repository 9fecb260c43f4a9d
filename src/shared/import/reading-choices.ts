type Choice = { value: string; label: string };

const plain = (value: string): Choice => ({ value, label: value });

/** Encodings that a user may choose for a file; the first ones are also detected automatically. */
export const importEncodings: readonly Choice[] = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15', 'macintosh', 'cp850'].map(plain),
  { value: 'windows-1250', label: 'windows-1250 (Polnisch, Tschechisch, Ungarisch)' },
  { value: 'iso-8859-2', label: 'iso-8859-2 (Polnisch, Tschechisch, Ungarisch)' },
  { value: 'cp852', label: 'cp852 (dieselben unter DOS)' },
  { value: 'windows-1251', label: 'windows-1251 (Kyrillisch)' },
  { value: 'koi8-r', label: 'koi8-r (Kyrillisch)' },
  { value: 'ibm866', label: 'ibm866 (Kyrillisch unter DOS)' },
  { value: 'windows-1253', label: 'windows-1253 (Griechisch)' },
  { value: 'windows-1254', label: 'windows-1254 (Türkisch)' },
  { value: 'gb18030', label: 'gb18030 (Chinesisch)' },
  { value: 'big5', label: 'big5 (Chinesisch, Langzeichen)' },
  { value: 'shift_jis', label: 'shift_jis (Japanisch)' },
  { value: 'euc-kr', label: 'euc-kr (Koreanisch)' },
  plain('utf-7'),
];

/** Includes every single-character delimiter that detection may find, so that a wrong result can be corrected. */
export const importDelimiters: readonly Choice[] = [
  { value: ';', label: 'Semikolon ;' },
  { value: ',', label: 'Komma ,' },
  { value: '\t', label: 'Tabulator' },
  { value: '|', label: 'Senkrechter Strich |' },
  { value: '||', label: 'Zwei senkrechte Striche ||' },
  { value: '¦', label: 'Unterbrochener Strich ¦' },
  { value: '§', label: 'Paragraphenzeichen §' },
  { value: '#', label: 'Raute #' },
  { value: '^', label: 'Zirkumflex ^' },
  { value: '~', label: 'Tilde ~' },
  { value: ':', label: 'Doppelpunkt :' },
  { value: ' ', label: 'Leerzeichen' },
  { value: '\u0001', label: 'Steuerzeichen U+0001' },
  { value: '\u001F', label: 'Steuerzeichen U+001F' },
];
