declare module '@echogarden/fvad-wasm' {
  const load: () => Promise<unknown>
  export default load
}

/** The part of WebAssembly that flite needs: TypeScript declares it only together with the DOM. */
declare namespace WebAssembly {
  interface Module {
    readonly module: unique symbol
  }
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
