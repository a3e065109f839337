-- Imports of contacts may have any text encoding. The same detector reads them as documents; until now a list in
-- windows-1251 or Shift-JIS was read as windows-1252.
alter table contact_imports drop constraint contact_imports_encoding_check;
