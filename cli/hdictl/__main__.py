"""`python -m hdictl`."""

from hdictl.main import main

if __name__ == "__main__":
    main()
