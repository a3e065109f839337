/** Downloads a text as a file. */
export function saveFile(name: string, text: string): void {
  // The byte order mark makes spreadsheets read the file as UTF-8.
  const address = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

const quotable = /[",\r\n]/
export const csvOf = (rows: (string | number)[][]): string =>
  rows
    .map((cells) =>
      cells.map((cell) => (quotable.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(','),
    )
    .join('\n')
    .concat('\n')
