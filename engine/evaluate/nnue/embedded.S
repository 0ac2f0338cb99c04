// The bytes of the embedded network file and their number. The build defines NETWORK_FILE.

// C names in object files: some systems put an underscore in front.
#if defined(__APPLE__) || (defined(_WIN32) && defined(__i386__))
#define NAME(name) _##name
#else
#define NAME(name) name
#endif

#if defined(__APPLE__)
    .const
#elif defined(_WIN32)
    .section .rdata, "dr"
#else
    .section .rodata
#endif

    .balign 64
    .globl NAME(parley_network)
NAME(parley_network):
    .incbin NETWORK_FILE
1:
    .balign 8
    .globl NAME(parley_network_size)
NAME(parley_network_size):
    .quad 1b - NAME(parley_network)

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
