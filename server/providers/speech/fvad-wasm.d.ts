declare module '@echogarden/fvad-wasm' {
  const load: () => Promise<unknown>
  export default load
}
